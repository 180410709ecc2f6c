"""A stage for one fault after the other, as long as it can be trusted."""

from __future__ import annotations

from settings import Settings, say
from stage import Stage


class Stages:
    """Starts a stage when it is asked for, and another one after that has been stopped."""

    def __init__(self, settings: Settings, needs: tuple[str, ...]) -> None:
        self.settings = settings
        self.needs = needs
        self._stage: Stage | None = None

    def get(self) -> Stage:
        if self._stage is None:
            self._stage = start_stage(self.settings, self.needs)
        return self._stage

    def stop(self) -> None:
        stage, self._stage = self._stage, None
        if stage is not None:
            stage.stop()


def start_stage(settings: Settings, needs: tuple[str, ...]) -> Stage:
    """A stage that runs, or nothing of it."""
    stage = Stage(settings, needs)
    say(f"faults: starting a stage{' with ' + ', '.join(sorted(needs)) if needs else ''}")
    try:
        stage.start()
    except BaseException:
        stage.stop()
        raise
    return stage
