"""The pages that people see, a module a noun. Programs have app/api.py."""

from fastapi import FastAPI
from fastapi.routing import APIRoute

from app.classes.pages import (
    calendars,
    classes,
    comments,
    connections,
    demo,
    evidence,
    frozen,
    gradebook,
    grading,
    invitations,
    lti,
    lti_accounts,
    lti_connections,
    lti_platforms,
    regradings,
    roster,
    rubrics,
    schedule,
    settings,
    similarity,
    students,
)
from app.discussions.pages import discussions, posts, reports
from app.operating.pages import audit, installation
from app.people.pages import letters, me, oidc, passwords, resets, roles, sessions, users, verifications
from app.practice.pages import differences, drafts, exercises, hints, solutions, standings, submissions
from app.progress.pages import progress
from app.quizzes.pages import essays, moved, questions, quizzes, reviews, sittings
from app.reading.pages import cells, courses, labs, lessons, notes, search
from app.teaching.pages import authors, checks, desk, gallery, live, outcomes, pictures, previews
from app.teaching.pages import questions as authored_questions
from app.teaching.pages import revisions as content_revisions
from app.web.pages import health, static, theme

ROUTERS = tuple(
    module.router
    for module in (
        health,
        static,
        courses,
        lessons,
        notes,
        cells,
        labs,
        questions,
        sittings,
        moved,
        quizzes,
        essays,
        exercises,
        hints,
        solutions,
        drafts,
        differences,
        standings,
        submissions,
        progress,
        reviews,
        discussions,
        posts,
        reports,
        outcomes,
        gallery,
        authored_questions,
        me,
        letters,
        verifications,
        oidc,
        invitations,
        calendars,
        connections,
        passwords,
        resets,
        roles,
        search,
        users,
        sessions,
        live,
        previews,
        theme,
        authors,
        checks,
        desk,
        content_revisions,
        pictures,
        installation,
        audit,
        regradings,
        classes,
        roster,
        schedule,
        gradebook,
        students,
        settings,
        evidence,
        similarity,
        comments,
        grading,
        rubrics,
        frozen,
        lti,
        lti_accounts,
        lti_connections,
        lti_platforms,
    )
)
DEMO = demo.router  # with `serve --demo` alone


def install(app: FastAPI, *, demo: bool) -> None:
    """Add them to an application; with `demo`, also the pages of `serve --demo`.

    Route by route: trying sixty routers, one after the other, took up to half a millisecond of each page.
    """
    for router in (*ROUTERS, DEMO) if demo else ROUTERS:
        for route in router.routes:
            if isinstance(route, APIRoute):
                route.include_in_schema = False
            app.router.routes.append(route)
