"""`python -m p2pjong` is `p2pjong`."""


def start() -> None:
    """Runs the command line; Ctrl-C before it is even there ends without a traceback, too."""
    try:
        from p2pjong.cli import main
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    main()


if __name__ == "__main__":
    start()
