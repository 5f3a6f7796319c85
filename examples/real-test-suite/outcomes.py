"""A pytest plugin: writes the outcome and the name of each test into the file that OUTCOMES names."""

import os

outcomes = {}


def pytest_runtest_logreport(report):
    if report.when != "call" and report.outcome == "passed":
        return
    outcome = report.outcome
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if report.skipped else "xpassed"
    elif report.when != "call" and report.failed:
        outcome = "error"
    outcomes[report.nodeid.replace(" ", "_")] = outcome


def pytest_sessionfinish():
    with open(os.environ["OUTCOMES"], "w", encoding="utf-8") as file:
        for name, outcome in sorted(outcomes.items()):
            print(outcome, name, file=file)
