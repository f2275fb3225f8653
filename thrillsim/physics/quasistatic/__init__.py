"""The quasi-static engine: the limit of slow pushing, compiled.

Described in docs/physics.md.  The modules::

    engine    arrays in, result out             kernel    steps, events, falls
    newton    the warm solver of a step         interior  the path to fall back on
    linear    the system of one iteration       law       contacts and friction of one iteration
    contacts  who touches whom, and when        options   numbers in and out
    patch     friction of a contact patch       compiled  twins of the board's and the pressure's functions
    crossing  when a disk loses its support     state     the arrays
    frame     what the kernel sees of a push    compiling the first push of an installation

All but `engine`, `frame` and `compiling` is compiled.
"""
