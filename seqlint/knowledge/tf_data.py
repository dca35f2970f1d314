"""The vocabulary of tf.data: signatures, and what each call does to the order, the grouping and the end of a dataset.

Signatures are those of TensorFlow 2.21; loaders are those of Keras 3.15 and tf-keras 2.21, which agree on what is used here.
Read and measured: `list_files` shuffles unless told otherwise, in a new order each time; the loaders of Keras shuffle files once
and rows each time, make batches of 32 (128 for time series) unless `batch_size=None`, and prefetch; of `subset="both"` the second
dataset is never shuffled; `make_csv_dataset` shuffles, batches, prefetches and repeats for ever unless told otherwise;
`split_dataset` reads everything, keeps the batches and prefetches.
"""

from __future__ import annotations

from typing import Literal

Does = Literal[
    "shuffle", "batch", "unbatch", "repeat", "cache", "prefetch", "take", "keep", "nest", "flatten", "options", "opaque"
]
"""What a call does to a dataset. *keep*: neither order nor grouping change. *nest*: it makes datasets of datasets. *flatten*: it
joins the datasets that a function gives. *options*: it changes nothing that is computed. *opaque*: it can do anything."""

METHODS: dict[str, tuple[tuple[str, ...], Does]] = {
    "apply": (("transformation_func",), "opaque"),
    "batch": (("batch_size", "drop_remainder", "num_parallel_calls", "deterministic", "name"), "batch"),
    "bucket_by_sequence_length": (("element_length_func", "bucket_boundaries", "bucket_batch_sizes", "padded_shapes",
                                   "padding_values", "pad_to_bucket_boundary", "no_padding", "drop_remainder", "name"), "batch"),
    "cache": (("filename", "name"), "cache"),
    "concatenate": (("dataset", "name"), "keep"),
    "enumerate": (("start", "name"), "keep"),
    "filter": (("predicate", "name"), "keep"),
    "flat_map": (("map_func", "name"), "flatten"),
    "group_by_window": (("key_func", "reduce_func", "window_size", "window_size_func", "name"), "flatten"),
    "ignore_errors": (("log_warning", "name"), "keep"),
    "interleave": (("map_func", "cycle_length", "block_length", "num_parallel_calls", "deterministic", "name"), "flatten"),
    "map": (("map_func", "num_parallel_calls", "deterministic", "synchronous", "use_unbounded_threadpool", "name"), "keep"),
    "padded_batch": (("batch_size", "padded_shapes", "padding_values", "drop_remainder", "name"), "batch"),
    "prefetch": (("buffer_size", "name"), "prefetch"),
    "ragged_batch": (("batch_size", "drop_remainder", "row_splits_dtype", "name"), "batch"),
    "rebatch": (("batch_size", "drop_remainder", "name"), "keep"),
    "rejection_resample": (("class_func", "target_dist", "initial_dist", "seed", "name"), "keep"),
    "repeat": (("count", "name"), "repeat"),
    "scan": (("initial_state", "scan_func", "name"), "keep"),
    "shard": (("num_shards", "index", "name"), "keep"),
    "shuffle": (("buffer_size", "seed", "reshuffle_each_iteration", "name"), "shuffle"),
    "skip": (("count", "name"), "keep"),
    "snapshot": (("path", "compression", "reader_func", "shard_func", "name"), "cache"),
    "sparse_batch": (("batch_size", "row_shape", "name"), "batch"),
    "take": (("count", "name"), "take"),
    "take_while": (("predicate", "name"), "take"),
    "unbatch": (("name",), "unbatch"),
    "unique": (("name",), "keep"),
    "window": (("size", "shift", "stride", "drop_remainder", "name"), "nest"),
    "with_options": (("options", "name"), "options"),
}  # fmt: skip
"""The methods of a dataset that give another one: parameters, and what they do."""

_READERS = ("filenames", "compression_type", "buffer_size", "num_parallel_reads", "name")
_CSV = ("file_pattern", "batch_size", "column_names", "column_defaults", "label_name", "select_columns", "field_delim",
        "use_quote_delim", "na_value", "header", "num_epochs", "shuffle", "shuffle_buffer_size", "shuffle_seed",
        "prefetch_buffer_size", "num_parallel_reads", "sloppy", "num_rows_for_inference", "compression_type",
        "ignore_errors", "encoding")  # fmt: skip
_FEATURES = ("file_pattern", "batch_size", "features", "reader", "label_key", "reader_args", "num_epochs", "shuffle",
             "shuffle_buffer_size", "shuffle_seed", "prefetch_buffer_size", "reader_num_threads", "parser_num_threads",
             "sloppy_ordering", "drop_final_batch")  # fmt: skip
_IMAGES = ("directory", "labels", "label_mode", "class_names", "color_mode", "batch_size", "image_size", "shuffle", "seed",
           "validation_split", "subset", "interpolation", "follow_links", "crop_to_aspect_ratio")  # fmt: skip
_TEXTS = ("directory", "labels", "label_mode", "class_names", "batch_size", "max_length", "shuffle", "seed",
          "validation_split", "subset", "follow_links")  # fmt: skip
_AUDIO = ("directory", "labels", "label_mode", "class_names", "batch_size", "sampling_rate", "output_sequence_length",
          "ragged", "shuffle", "seed", "validation_split", "subset", "follow_links")  # fmt: skip
_SERIES = ("data", "targets", "sequence_length", "sequence_stride", "sampling_rate", "batch_size", "shuffle", "seed",
           "start_index", "end_index")  # fmt: skip

SOURCES: dict[str, tuple[str, ...]] = {
    "from_tensor_slices": ("tensors", "name"),
    "from_tensors": ("tensors", "name"),
    "from_generator": ("generator", "output_types", "output_shapes", "args", "output_signature", "name"),
    "list_files": ("file_pattern", "shuffle", "seed", "name"),
    "range": ("first", "second", "third"),
    "random": ("seed", "rerandomize_each_iteration", "name"),
    "counter": ("start", "step", "dtype", "name"),
    "Counter": ("start", "step", "dtype"),
    "load": ("path", "element_spec", "compression", "reader_func", "wait"),
    "TFRecordDataset": _READERS,
    "TextLineDataset": _READERS,
    "FixedLengthRecordDataset": ("filenames", "record_bytes", "header_bytes", "footer_bytes", *_READERS[2:]),
    "CsvDataset": ("filenames", "record_defaults", "compression_type", "buffer_size", "header"),
    "SqlDataset": ("driver_name", "data_source_name", "query", "output_types"),
    "make_csv_dataset": _CSV,
    "make_batched_features_dataset": _FEATURES,
}
"""What makes a dataset, under `tf.data.Dataset`, `tf.data` or `tf.data.experimental`: the parameters."""

LOADERS: dict[str, tuple[str, ...]] = {
    "image_dataset_from_directory": _IMAGES,
    "text_dataset_from_directory": _TEXTS,
    "audio_dataset_from_directory": _AUDIO,
    "timeseries_dataset_from_array": _SERIES,
    "split_dataset": ("dataset", "left_size", "right_size", "shuffle", "seed"),
}
"""The loaders of `keras.utils` (and `keras.preprocessing`, where they came from): the parameters."""

JOINS: dict[str, tuple[str, ...]] = {
    "zip": (),
    "choose_from_datasets": ("datasets", "choice_dataset", "stop_on_empty_dataset"),
    "sample_from_datasets": ("datasets", "weights", "seed", "stop_on_empty_dataset", "rerandomize_each_iteration"),
}
"""What makes one dataset of several."""

APPLIED: dict[str, tuple[str, ...]] = {
    "assert_cardinality": ("with_options",),
    "bucket_by_sequence_length": ("batch",),
    "copy_to_device": ("prefetch",),
    "dense_to_ragged_batch": ("batch",),
    "dense_to_sparse_batch": ("batch",),
    "enumerate_dataset": ("enumerate",),
    "ignore_errors": ("filter",),
    "map_and_batch": ("map", "batch"),
    "parallel_interleave": ("interleave",),
    "prefetch_to_device": ("prefetch",),
    "shuffle_and_repeat": ("shuffle", "repeat"),
    "snapshot": ("snapshot",),
    "take_while": ("take_while",),
    "unbatch": ("unbatch",),
    "unique": ("unique",),
}
"""What functions of `tf.data.experimental` do that are handed to `apply`, in the names of the methods."""

TFDS = "tensorflow_datasets.load"
TFDS_PARAMETERS = ("name", "split", "data_dir", "batch_size", "shuffle_files", "download", "as_supervised")
DISTRIBUTE = "experimental_distribute_dataset"
ROOTS = ("tensorflow.data.Dataset.", "tensorflow.data.experimental.", "tensorflow.data.")
LOADER_ROOTS = ("keras.utils.", "keras.preprocessing.image.", "keras.preprocessing.text.", "keras.preprocessing.")

# A keyword or a method that nothing but a dataset has.
TELLTALE_KEYWORDS = frozenset(
    {"num_parallel_calls", "reshuffle_each_iteration", "drop_remainder", "cycle_length", "padded_shapes"}
)
TELLTALE_METHODS = frozenset({"padded_batch", "with_options", "flat_map", "take_while", "bucket_by_sequence_length"})
# Libraries whose datasets have some of the same methods.
OTHERS = frozenset(
    {"datasets", "grain", "lightning", "petastorm", "pyspark", "ray", "torch", "torchdata", "webdataset"}
)
