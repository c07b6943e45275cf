"""What Alembic runs: the steps that a database lacks, on the connection that it was handed."""

from alembic import context

from hall.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
