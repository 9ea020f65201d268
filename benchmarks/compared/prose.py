"""What the page of a comparison says whatever came of it."""

INTRODUCTION = """\
`latcover bench compared` compares latcover with other programs: PyPI packages, solvers on the path, BurrTools, and
heesch-sat.
This page is its output, with all figures and all sentences about them: nothing was left out where latcover lost.

```sh
pip install '.[peers,plot]'                        # in a checkout
latcover bench compared --quick                    # the smallest problems alone: whether it works at all
latcover bench compared --output compared.md       # about ten minutes; also writes .json, .csv and charts
latcover bench compared --from compared.json --output compared.md    # the page again, nothing measured
```

`--only all,count` selects tasks, `--programs clasp,xcover` selects programs (latcover itself is always included),
`--seconds` sets the limit for each question. In this checkout,
`latcover bench compared --output docs/explanation/compared.md --results benchmarks/results/compared.json`
renews this page."""

METHOD = """\
- **The same question.** Each program gets the same problem in its own input format, made before the clock starts, with
  options and items in the same order. A program without items that may stay uncovered (exact-cover) gets one
  additional option for each, which changes no count. Clauses have no auxiliary variables except those that colours
  need, so models and covers correspond one to one. Problems that need more than three million clauses of two options
  are not written as clauses. Seconds cover the whole question: whatever a program does to take in its input
  (matrices, clauses that are read from a file, its own start where it is a command) counts. Imports do not, nor does
  the half minute in which xcover compiles itself.
- **Checked answers.** Each list of covers is checked against the arrays of the problem, must not repeat a cover, and
  must have the same fingerprint for all programs. Each count must be the known one. A wrong answer has no time, and is
  shown here as wrong.
- **Processor time**, user and system, of the process and its children, summed over all threads; every program is told
  to use one. A question of less than 0.02 s is asked up to 50 times, and the mean counts.
- **Turns.** In each turn every program answers once, in an order that changes. A ratio is taken within a turn, so
  that disturbances of the machine affect both sides. `latcover` is what you get with default settings; the ratio is
  the other program's time divided by latcover's: above 1, latcover is faster.
- **Intervals.** The 95 % interval of Student's t for the mean of the logarithms is in brackets: over turns for
  one problem, over problems for a task. "Surely" means that 1 lies outside. The problems are not a random sample of
  anything, so an interval over them says only how much they vary.
- **Limits.** Each program runs in a process of its own, with a limit on processor time and memory. `> 450` means:
  stopped at the limit, which is 450 times latcover's time. A whole command may take twenty times as long as another
  question. The program is then not given larger problems of that family, which is shown as `...`.
- **What we chose.** The problems are ours, and so are the adapters, which use each program as its
  documentation says, with its default options. Somebody who knows a program better may make it faster. The general
  solvers were not made for listing thousands of solutions."""

PROGRAMS_NOTE = """\
Approximate counters are left out, since the task is an exact count. `bitset`, `dlx`, `backtrack`, `frontier` and
`restarts` are methods of latcover ([backends](../reference/backends.md), [counting](counting.md)).

Two programs tell no version. Those of the committed run were built from source by GCC 12: `burrTxt` of
`burr-tools/burr-tools` at commit `b72a71d` (2025-11-11, the newest that we had; later ones say that they are faster)
with `-O2`, and `sat` and `gen` of `isohedral/heesch-sat` at commit `008e733` (2024-09-19) with `-O3`. The path must
lead to `burrTxt`, and to `heesch-sat`, a link to a `sat` that lies beside `gen`.
The tasks of whole commands were measured in a run of their own on the same day, after the others."""
