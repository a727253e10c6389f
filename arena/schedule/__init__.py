"""Who plays whom, where and in what order.

`order` is the whole schedule of an entry; it numbers games and never lists them all. `line_ups`
chooses who meets, `seatings` who sits where, `seat_rotation` how later deals even that out.
`stages` are the looks of a test that may end early, `choices` what a config leaves open, `sessions`
the pieces in which games are played.

Imports games. Pure. Begin with `order`.
"""
