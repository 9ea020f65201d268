"""The geometry of pictures: outlines in the plane, solids in space, and where the corners of cells lie."""
