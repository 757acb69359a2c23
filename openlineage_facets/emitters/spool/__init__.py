"""Events kept on the disk until they are delivered."""

from openlineage_facets.emitters.spool.emitter import SpoolEmitter
from openlineage_facets.emitters.spool.replaying import Replayed, replay

__all__ = ["Replayed", "SpoolEmitter", "replay"]
