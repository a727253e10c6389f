"""What arena asks of the machine for itself: signals, processes of its own, files written whole.

Imports `sandbox.walls.die_with`. Begin with `signals`.
"""
