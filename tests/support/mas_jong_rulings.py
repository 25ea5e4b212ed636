"""What several of the tests of rulings of Not Your Ma's Jong begin with."""

from tests.support.mas_jong_scene import Scene

# Three sets and one of a pair: an R1 wins. Its own cards fit nothing else that these tests discard.
READY = "B1 B1 B1 B3 B4 B5 G2 G2 G2 R1"
WINNING = f"{READY} R1"


def be_wrong(scene: Scene, *seats: int) -> None:
    scene.call(**{f"s{seat}": "win" for seat in seats})
    for seat in seats:
        scene.do(seat, "wrong")
