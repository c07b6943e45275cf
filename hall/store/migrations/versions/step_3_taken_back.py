"""Results that are taken back, and those of tables whose clock is wrong; when a table was heard last."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add what is missing."""
    moment = sa.DateTime(timezone=True)
    op.add_column("game", sa.Column("withdrawn", moment))
    op.add_column("card_table", sa.Column("heard", moment))
    op.add_column("result", sa.Column("told_ended", moment, nullable=False, server_default="1970-01-01 00:00:00"))
    op.execute("UPDATE result SET told_ended = ended")
