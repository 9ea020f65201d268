-- The tables of a design's file.
CREATE TABLE design (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    latcover TEXT NOT NULL,     -- the version that made the file
    created TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    source_name TEXT NOT NULL,
    source BLOB NOT NULL,       -- the puzzle's file
    source_folder TEXT NOT NULL,
    recipe TEXT NOT NULL,       -- what was asked, as JSON
    digest TEXT NOT NULL,       -- of what the results depend on
    key TEXT NOT NULL           -- by chance; goes into all seals
);
CREATE TABLE entries (name TEXT PRIMARY KEY, entry TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID;
