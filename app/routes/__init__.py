"""HTTP, a module a noun. `pages` are the ones that people see; programs have `api`."""

from app.routes import (
    courses,
    exercises,
    health,
    lessons,
    progress,
    questions,
    sessions,
    static,
    submissions,
    theme,
    users,
)

pages = tuple(
    module.router
    for module in (
        health,
        static,
        courses,
        lessons,
        questions,
        exercises,
        submissions,
        progress,
        users,
        sessions,
        theme,
    )
)
