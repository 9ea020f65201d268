-- The tables of a run's file. SQLite keeps the text of each statement, so a change of a comment makes another version.

CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    latcover TEXT NOT NULL,      -- the version that made the file
    created TEXT NOT NULL,
    task TEXT NOT NULL CHECK (task IN ('solve', 'count')),
    puzzle TEXT NOT NULL,
    source_name TEXT NOT NULL,
    source NOT NULL,             -- the puzzle's file: text, or bytes
    source_folder TEXT NOT NULL,
    request TEXT NOT NULL,       -- what was asked, as JSON
    bounds TEXT NOT NULL,
    question TEXT NOT NULL,      -- what the answer depends on, as JSON
    apart TEXT,                  -- what the rows of the table assemblies depend on, as JSON
    most_solutions INTEGER,      -- where the run ends before all are found
    n_choices INTEGER NOT NULL,  -- placements in all (options, of a bare problem)
    searched_by TEXT,            -- the backend that "auto" picked
    notes TEXT NOT NULL DEFAULT '[]',
    answer TEXT,                 -- when all is done, as JSON
    key TEXT NOT NULL,           -- by chance; goes into all seals, so that no row of another run has a right one
    seal INTEGER NOT NULL        -- a checksum of the row; see latcover/lab/runs/seals.py
);
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES jobs (id),
    chosen TEXT NOT NULL,        -- options that all its covers hold, as JSON
    left_out TEXT NOT NULL,      -- pairs [item, option]: options of the item below the option are not taken
    state TEXT NOT NULL CHECK (state IN ('pending', 'cut', 'done')),
    pieces INTEGER NOT NULL,     -- how many jobs have this one as parent: 0 where it was not cut
    share REAL NOT NULL,         -- of the whole tree; of a job that was cut what did not go to its pieces
    expected REAL,               -- seconds, as far as known before
    different INTEGER NOT NULL,
    total INTEGER NOT NULL,
    covers INTEGER NOT NULL,
    branches INTEGER,
    dead_ends INTEGER,
    branches_by_level TEXT NOT NULL,
    digest TEXT NOT NULL,
    search_seconds REAL NOT NULL,
    check_seconds REAL NOT NULL,
    seal INTEGER NOT NULL
);
CREATE TABLE solutions (
    number INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs (id),  -- that is done, or was ended before its time
    orbit INTEGER NOT NULL,      -- how many covers it stands for
    choices TEXT NOT NULL,       -- numbers of placements (of options, in a bare problem), ascending, as JSON
    seal INTEGER NOT NULL
);
CREATE TABLE placements (        -- those that solutions hold
    number INTEGER PRIMARY KEY,
    described TEXT NOT NULL,     -- as JSON
    seal INTEGER NOT NULL
);
CREATE TABLE assemblies (        -- how solutions come apart, as far as that was asked and is known
    number INTEGER PRIMARY KEY REFERENCES solutions (number),
    described TEXT NOT NULL,     -- as JSON
    seal INTEGER NOT NULL
);
CREATE TABLE totals (            -- of each table with seals: how many rows it has, and the sum of their seals
    id INTEGER PRIMARY KEY CHECK (id = 1),
    jobs INTEGER NOT NULL,
    jobs_sum INTEGER NOT NULL,
    solutions INTEGER NOT NULL,
    solutions_sum INTEGER NOT NULL,
    placements INTEGER NOT NULL,
    placements_sum INTEGER NOT NULL,
    assemblies INTEGER NOT NULL,
    assemblies_sum INTEGER NOT NULL
);
CREATE TABLE sessions (          -- each time that a process worked on the run
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_started TEXT NOT NULL,
    began TEXT NOT NULL,
    heartbeat REAL NOT NULL,
    seconds REAL NOT NULL DEFAULT 0,
    threads INTEGER NOT NULL,
    ended TEXT                   -- why; NULL while it works, or died
);
CREATE VIEW solutions_as_json AS
    SELECT number, job, orbit, json_object('number', number, 'orbit', orbit, 'placements', (
        SELECT json_group_array(json(described))
        FROM json_each(solutions.choices) JOIN placements ON placements.number = json_each.value
    )) AS solution FROM solutions;
CREATE VIEW progress AS
    SELECT sum(share) FILTER (WHERE state <> 'pending') AS share, count(*) FILTER (WHERE state = 'done') AS jobs_done,
        count(*) FILTER (WHERE state = 'pending') AS jobs_pending,
        max(sum(different), (SELECT count(*) FROM solutions)) AS different
    FROM jobs;
