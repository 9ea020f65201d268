"""What the page of a comparison says whatever came of it."""

INTRODUCTION = """\
`latcover bench compared` sets latcover beside other programs: packages of PyPI, solvers on the path, and BurrTools.
This page is what it wrote, with all its figures and sentences about them: nothing was left out because latcover lost.

```sh
pip install '.[peers,plot]'                        # in a checkout
latcover bench compared --quick                    # the smallest problems alone: whether it works at all
latcover bench compared --output compared.md       # about ten minutes; also writes .json, .csv and charts
latcover bench compared --from compared.json --output compared.md    # the page again, nothing measured
```

`--only all,count` chooses tasks, `--programs clasp,xcover` chooses programs (latcover itself is always there),
`--seconds` sets the limit of each question. In this checkout,
`latcover bench compared --output docs/explanation/compared.md --results benchmarks/results/compared.json`
renews this page."""

METHOD = """\
- **The same question.** Each program gets the same problem in the form that it reads, made before the clock starts.
  Options and items stand in the same order. A program without items that may stay uncovered (exact-cover) gets one
  option more for each, which changes no count. Clauses have no auxiliary variables but those that colours need, so
  models are covers one for one; a problem of more than three million clauses of two options is not written for them.
  Seconds are of the whole question: what a program does to take its input in
  (matrices, clauses that are read from a file, its own start where it is a command) counts. Imports do not, nor does
  the half minute in which xcover compiles itself.
- **Checked answers.** Each list of covers is checked by the arrays of the problem, must not repeat a cover, and must
  have the same fingerprint for all. Each count must be the known one. A wrong answer has no time, and stands here as
  wrong.
- **Processor time**, in user mode and in the system, of the process and its children, all threads added; every
  program is asked to use one. A question of less than 0.02 s is asked up to 50 times, and the mean counts.
- **Turns.** In each turn every program answers once, in an order that changes. A ratio is taken within a turn, so
  that what disturbs the machine disturbs both. `latcover` is what you get if you choose nothing; the ratio says how
  many times as long as that another one takes: above 1, latcover is faster.
- **Intervals.** In brackets stands the 95 % interval of Student's t for the mean of the logarithms: over turns for
  one problem, over problems for a task. "Surely" means that 1 lies outside. The problems are not a random sample of
  anything, so an interval over them says only how much they vary.
- **Limits.** Each program runs in a process of its own, with a limit of processor time and of memory. `> 450` means:
  stopped at the limit, which is 450 times what latcover took. It is then not asked for larger problems of that
  family; `...` stands there.
- **What was chosen by us.** The problems are ours, and so are the adapters, which use each program as its
  documentation says, with its default options. Somebody who knows a program better may make it faster. The general
  solvers were not made for listing thousands of solutions."""

PROGRAMS_NOTE = """\
Approximate counters are left out, since an exact number is asked. `bitset`, `dlx`, `backtrack`, `frontier` and
`restarts` are methods of latcover ([backends](../reference/backends.md), [counting](counting.md))."""
