"""What arena asks of the machine for itself: signals, processes and cores, files written whole.

Imports `sandbox.walls.die_with`. Begin with `signals`.
"""
