"""The labs that a lesson may show: interactive figures, drawn here once as they stand before anyone touches them."""

from app.content.labs.alibi_slopes import ALIBI_SLOPES
from app.content.labs.order_blindness import ORDER_BLINDNESS
from app.content.labs.position_heat_map import POSITION_HEAT_MAP
from app.content.labs.position_similarity import POSITION_SIMILARITY
from app.content.labs.rotation import ROTATION
from app.content.labs.train_a_table import TRAIN_A_TABLE

LABS = {
    kind.name: kind
    for kind in (POSITION_HEAT_MAP, POSITION_SIMILARITY, ORDER_BLINDNESS, TRAIN_A_TABLE, ROTATION, ALIBI_SLOPES)
}
