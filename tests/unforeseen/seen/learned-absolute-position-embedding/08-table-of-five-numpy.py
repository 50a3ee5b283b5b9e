# cause: The number of rows is written as 5, as in the example; other tables have another length, so use embedding_table.shape[0].
# names: hard.?cod|(written|fixed|always|exactly|assum\w*|constant|only).{0,40}\b(5|five)\b|\b(5|five)\b.{0,30}(rows|example|sample|always|fixed|only)|eye\(5|(size|length|number of rows|rows) of the (example|sample)|(size|length|number of rows|rows) .{0,20}(the table|embedding_table).{0,20}(vary|var|differ|change|not always)|other (tables?|sizes|lengths)|embedding_table\.shape\[0\]|len\(embedding
import numpy as np

def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    one_hot = np.eye(5, dtype=np.float32)[ids]      # (N, T, 5)
    return np.matmul(one_hot, embedding_table)
