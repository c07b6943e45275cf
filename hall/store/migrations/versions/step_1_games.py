"""Games with their entries, and their results."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("hall", sa.String, nullable=False),
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("played_at", sa.String, nullable=False),
        sa.UniqueConstraint("hall", "game_id", name="game_once"),
    )
    op.create_table(
        "entry",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "result",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("began", moment, nullable=False),
        sa.Column("ended", moment, nullable=False),
        sa.Column("record_sha256", sa.String, nullable=False),
    )
    op.create_table(
        "score",
        sa.Column("game", sa.Integer, sa.ForeignKey("result.game"), primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
    )
