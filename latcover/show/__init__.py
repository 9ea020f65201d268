"""What people see: pictures, models and reports, made of data from the wings below.

`drawing` turns puzzles into scenes and pictures. `printing` writes these as files of every form. `reporting` gives
answers as text and as plain data.
"""
