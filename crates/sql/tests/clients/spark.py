"""Asks an export by Spark: reads queries, one a line, from standard input, and writes the rows of each as
a line of JSON."""

import json
import sys

from pyspark.sql import SparkSession

lake = sys.argv[1]
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", "2")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
spark.read.parquet(lake + "/games.parquet").createOrReplaceTempView("games")
spark.read.parquet(lake + "/positions").createOrReplaceTempView("positions")
for line in sys.stdin:
    rows = spark.sql(line).collect()
    print(json.dumps([[None if cell is None else str(cell) for cell in row] for row in rows]), flush=True)
spark.stop()
