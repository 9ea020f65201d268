"""Workers of a Dask cluster, who search the jobs of a run."""
