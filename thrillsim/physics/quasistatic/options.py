"""Names of the numbers that go into and come out of the compiled kernel."""

# what it reads
(STEP, TOLERANCE, SNAP, SOFT, STOP, RIM_MU, PUSHER_MU, RAIL_MU, FRONT, START) = range(10)
OPTIONS = 10

# what it reports
(ADVANCE, STATUS, FALLS, OVERLAP, FORCE_ERROR, LAW_ERROR, POWER_ERROR, STEPS, UNCONVERGED, ROWS) = range(10)
(CALLS, ITERATIONS, INNER, SOLVES, CUTS) = range(10, 15)  # for profiling
JUDGED = 15  #: from here on the residuals of a step that is still to be judged
REPORT = JUDGED + POWER_ERROR + 1

DONE, JAMMED, STUCK = 0, 1, 2
