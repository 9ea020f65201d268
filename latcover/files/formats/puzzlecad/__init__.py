"""Models made with puzzlecad, Aaron Siegel's library for OpenSCAD."""
