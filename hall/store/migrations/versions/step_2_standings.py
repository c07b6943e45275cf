"""Points for places, for games played before as well; tables and open calls outlive the hall's restart."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

_PLACE_POINTS = """
UPDATE score SET place_points = (
  SELECT SUM(CASE WHEN other.place > score.place THEN 1.0 WHEN other.place = score.place THEN 0.5 ELSE 0 END) - 0.5
  FROM score AS other WHERE other.game = score.game
)
"""
"""A player is level with himself too, which is the half that is taken off."""


def upgrade() -> None:
    """Add what is missing."""
    with op.batch_alter_table("score") as score:
        score.add_column(sa.Column("place_points", sa.Float, nullable=False, server_default="0"))
    op.execute(_PLACE_POINTS)
    op.create_index("score_player", "score", ["player"])
    op.create_index("result_ended", "result", ["ended"])
    op.create_table(
        "card_table",
        sa.Column("hall", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("online", sa.Boolean, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("call_since", sa.DateTime(timezone=True)),
        sa.Column("call_why", sa.String),
        sa.Column("called_at", sa.DateTime(timezone=True)),
    )
