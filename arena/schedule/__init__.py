"""Line-ups, seatings, and the order of games.

`order` is the whole schedule of an entry; it numbers games and never lists them all. `line_ups`
chooses who meets, `seatings` who sits where, `seat_rotation` how later deals even that out.
`choices` are what a config leaves open, `sessions` the pieces in which games are played.

Imports games and sequential. Pure. Begin with `order`.
"""
