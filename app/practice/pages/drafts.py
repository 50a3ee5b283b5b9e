"""Drafts as the desk saves them: in JSON, as the API has them, and with the person's cookie."""

from fastapi import APIRouter

from app.practice.api import drafts

router = APIRouter()
router.include_router(drafts.router)
