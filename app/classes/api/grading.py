"""Grading by hand: comments on lines, rubrics and points, and the queue that a class's staff share."""

from datetime import datetime
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from app.classes.assignments import require_assignment
from app.classes.classes import require_member, require_writer
from app.classes.comments import MAX_TEXT, add_comment, change_comment, comments_on, delete_comment, require_submission
from app.classes.grading import Item, grade_class_essay, grade_class_submission, release, take_next, waiting_items
from app.classes.rights import Right
from app.classes.rubrics import MAX_COMMENT, MAX_CRITERIA, Criterion, Rubric, put_rubric, rubric_of
from app.people.identity import Caller
from app.practice.feedback import Remark
from app.state import state_of
from app.web.errors import NotFound

router = APIRouter(tags=["classes"])


class CriterionIn(BaseModel):
    """`key` is empty for a new one; the points that were given stay with it."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(max_length=200)
    points: float = Field(gt=0, le=1000)
    text: str = Field("", max_length=2000, description="What earns them, which the student reads.")
    key: str = Field("", max_length=16)


class NewRubric(BaseModel):
    model_config = ConfigDict(extra="forbid")

    criteria: list[CriterionIn] = Field(default_factory=list, max_length=MAX_CRITERIA)
    hand_weight: float = Field(0.5, ge=0, le=1, description="What the points are of the score.")
    anonymous: bool = Field(False, description="Names are hidden from anyone who grades.")


class RubricOut(BaseModel):
    kind: Literal["exercise", "quiz"]
    slug: str
    criteria: list[CriterionIn]
    hand_weight: float
    anonymous: bool


class NewPoints(BaseModel):
    """`points` by the keys of the rubric's criteria."""

    model_config = ConfigDict(extra="forbid")

    points: dict[str, float] = Field(max_length=MAX_CRITERIA)
    comment: str = Field("", max_length=MAX_COMMENT)


class NewGrade(BaseModel):
    model_config = ConfigDict(extra="forbid")

    points: float = Field(ge=0, description="Of the question's points, with at most two decimals.")
    comment: str = Field("", max_length=MAX_COMMENT)


class ClaimOut(BaseModel):
    holder: str
    is_yours: bool
    until: datetime


class ItemOut(BaseModel):
    """`url`: its page. `student` is null where names are hidden."""

    item: str
    url: str
    kind: Literal["exercise", "quiz"]
    slug: str
    title: str
    since: datetime
    student: str | None
    claim: ClaimOut | None


class NewComment(BaseModel):
    model_config = ConfigDict(extra="forbid")

    line: int = Field(ge=1, le=100_000)
    text: str = Field(min_length=1, max_length=MAX_TEXT, description="Markdown.")


class CommentChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=MAX_TEXT)


class CommentOut(BaseModel):
    id: int
    line: int
    html: str
    author: str
    created_at: datetime
    edited_at: datetime | None


@router.get("/classes/{class_id}/rubrics/{kind}/{slug}")
def show_rubric(request: Request, class_id: str, kind: Literal["exercise", "quiz"], slug: str) -> RubricOut:
    """For the class's staff."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.grade_by_hand)
        assignment = require_assignment(db, member, kind, slug)
        rubric = rubric_of(db, member.class_, assignment.kind, assignment.slug)
        if rubric is None:
            raise NotFound("This assignment has no rubric.", "PUT one here.")
        return _rubric(rubric)


@router.put("/classes/{class_id}/rubrics/{kind}/{slug}")
def update_rubric(
    request: Request, class_id: str, kind: Literal["exercise", "quiz"], slug: str, sent: NewRubric
) -> RubricOut:
    """How an assignment is graded by hand. For the class's instructors."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_schedule)
        criteria = [Criterion(one.title, one.points, one.text, one.key) for one in sent.criteria]
        assignment = require_assignment(db, member, kind, slug)
        rubric = put_rubric(db, member, assignment, criteria, hand_weight=sent.hand_weight, is_anonymous=sent.anonymous)
        return _rubric(rubric)


@router.get("/classes/{class_id}/grading")
def index(request: Request, class_id: str) -> list[ItemOut]:
    """What waits to be graded by hand, longest first. For the class's staff."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.grade_by_hand)
    return [_item(one, member.user.id) for one in waiting_items(state.db, state.catalog, member.class_)]


@router.post("/classes/{class_id}/grading/claims", status_code=201)
def create_claim(request: Request, class_id: str) -> ItemOut:
    """The next one that nobody has is the caller's for 15 minutes; 404 where there is none."""
    state = state_of(request)
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.grade_by_hand)
    item = take_next(state.db, state.catalog, member)
    if item is None:
        raise NotFound("Nothing waits that nobody has.", "Look again later.")
    return _item(item, member.user.id)


@router.delete("/classes/{class_id}/grading/claims/{item}", status_code=204)
def delete_claim(request: Request, class_id: str, item: str) -> None:
    """Puts back what the caller has."""
    with state_of(request).db.writing() as db:
        release(db, require_writer(db, Caller(request), class_id, Right.grade_by_hand), item[:160])


@router.put("/classes/{class_id}/submissions/{id}/grade", status_code=204)
def update_grade(request: Request, class_id: str, id: str, sent: NewPoints) -> None:
    """The points of a rubric; 409 while somebody else has it. For the class's staff."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.grade_by_hand)
        grade_class_submission(db, member, id, sent.points, sent.comment)


@router.put("/classes/{class_id}/essays/{sitting}/{place}/grade", status_code=204)
def update_essay(request: Request, class_id: str, sitting: str, place: str, sent: NewGrade) -> None:
    """Points for an answer in an assigned quiz; 409 while somebody else has it. For the class's staff."""
    state = state_of(request)
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.grade_by_hand)
        grade_class_essay(db, member, state.catalog, sitting, place, f"{sent.points:g}", sent.comment)


@router.get("/classes/{class_id}/submissions/{id}/comments")
def index_comments(request: Request, class_id: str, id: str) -> list[CommentOut]:
    """On the lines of what a student sent. For the class's staff."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.read_work)
        shown, _ = require_submission(db, member, id)
        return [_comment(one) for one in comments_on(db, shown.id, member)]


@router.post("/classes/{class_id}/submissions/{id}/comments", status_code=201)
def create_comment(request: Request, class_id: str, id: str, sent: NewComment) -> CommentOut:
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.comment)
        row = add_comment(db, member, id, sent.line, sent.text)
        return next(_comment(one) for one in comments_on(db, row.submission_id, member) if one.id == row.id)


@router.put("/classes/{class_id}/comments/{comment}")
def update_comment(request: Request, class_id: str, comment: str, sent: CommentChange) -> CommentOut:
    """The caller's own."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.comment)
        row = change_comment(db, member, comment, sent.text)
        return next(_comment(one) for one in comments_on(db, row.submission_id, member) if one.id == row.id)


@router.delete("/classes/{class_id}/comments/{comment}", status_code=204)
def delete(request: Request, class_id: str, comment: str) -> None:
    """The caller's own; instructors delete anybody's."""
    with state_of(request).db.writing() as db:
        delete_comment(db, require_writer(db, Caller(request), class_id, Right.comment), comment)


def _rubric(rubric: Rubric) -> RubricOut:
    return RubricOut(
        kind="exercise" if rubric.kind == "exercise" else "quiz",
        slug=rubric.slug,
        criteria=[
            CriterionIn(title=one.title, points=one.points, text=one.text, key=one.key) for one in rubric.criteria
        ],
        hand_weight=rubric.hand_weight,
        anonymous=rubric.is_anonymous,
    )


def _item(item: Item, caller_id: int) -> ItemOut:
    claim = item.claim
    return ItemOut(
        item=item.key,
        url=item.url,
        kind="exercise" if item.kind == "exercise" else "quiz",
        slug=item.slug,
        title=item.title,
        since=item.since,
        student=item.student,
        claim=ClaimOut(holder=claim.holder, is_yours=claim.holder_id == caller_id, until=claim.until)
        if claim
        else None,
    )


def _comment(one: Remark) -> CommentOut:
    return CommentOut(
        id=one.id, line=one.line, html=one.html, author=one.author, created_at=one.created_at, edited_at=one.edited_at
    )
