// Made by packaging/page_types.py from the structures in Python: do not edit.
// What numbers in requests may be: attributes of fields, by a task, a way to design, or a table.

export const BOUNDS = {
  solve: {
    limit: {
      min: 1
    },
    branches: {
      min: 0
    },
    seconds: {
      min: 0
    }
  },
  count: {
    limit: {
      min: 0
    },
    branches: {
      min: 0
    },
    seconds: {
      min: 0
    },
    memory: {
      min: 1,
      max: 1000000
    },
    disk: {
      min: 0,
      max: 1000000000
    }
  },
  best: {
    limit: {
      min: 1,
      max: 20
    },
    branches: {
      min: 0
    },
    seconds: {
      min: 0
    }
  },
  pack: {
    seconds: {
      min: 0
    }
  },
  exclude: {
    seconds: {
      min: 0
    }
  },
  sample: {
    memory: {
      min: 1,
      max: 1000000
    },
    seconds: {
      min: 0
    },
    number: {
      min: 1,
      max: 10000
    },
    seed: {
      min: 0,
      max: 9007199254740992
    }
  },
  probabilities: {
    memory: {
      min: 1,
      max: 1000000
    },
    seconds: {
      min: 0
    }
  },
  compare: {
    seconds_each: {
      min: 0
    }
  },
  sets: {
    at_least: {
      min: 1
    },
    at_most: {
      min: 1
    },
    keep: {
      min: 1
    },
    seed: {
      min: 0
    },
    samples: {
      min: 1
    },
    branches: {
      min: 0
    },
    states: {
      min: 0
    },
    limit: {
      min: 0
    },
    seconds: {
      min: 0
    },
    threads: {
      min: 1
    },
    memory: {
      min: 1,
      max: 1000000
    }
  },
  regions: {
    at_least: {
      min: 1
    },
    at_most: {
      min: 1
    },
    keep: {
      min: 1
    },
    seed: {
      min: 0
    },
    samples: {
      min: 1
    },
    branches: {
      min: 0
    },
    states: {
      min: 0
    },
    limit: {
      min: 0
    },
    seconds: {
      min: 0
    },
    threads: {
      min: 1
    },
    symmetric: {
      min: 1
    }
  },
  cut: {
    holes: {
      min: 0
    },
    min_level: {
      min: 0,
      max: 1000
    },
    play: {
      min: 0,
      max: 0.2
    },
    bevel: {
      min: 0,
      max: 0.25
    },
    seed: {
      min: 0
    },
    first: {
      min: 0,
      max: 9223372036854775807
    },
    walks: {
      min: 1
    },
    limit: {
      min: 0
    },
    keep: {
      min: 1
    },
    seconds: {
      min: 0
    },
    threads: {
      min: 1
    },
    patience: {
      min: 1
    },
    parts: {
      min: 2
    }
  },
  grow: {
    holes: {
      min: 0
    },
    min_level: {
      min: 0,
      max: 1000
    },
    play: {
      min: 0,
      max: 0.2
    },
    bevel: {
      min: 0,
      max: 0.25
    },
    seed: {
      min: 0
    },
    first: {
      min: 0,
      max: 9223372036854775807
    },
    walks: {
      min: 1
    },
    limit: {
      min: 0
    },
    keep: {
      min: 1
    },
    seconds: {
      min: 0
    },
    threads: {
      min: 1
    },
    patience: {
      min: 1
    },
    solution: {
      min: 1
    }
  },
  measures: {
    edge: {
      min: 0,
      max: 1000000000.0
    },
    clearance: {
      min: 0,
      max: 1000000000.0
    },
    chamfer: {
      min: 0,
      max: 1000000000.0
    },
    explode: {
      min: 0,
      max: 1000000000.0
    }
  },
  sheet: {
    columns: {
      min: 1,
      max: 500
    }
  },
  part: {
    from: {
      min: 0
    },
    colours: {
      min: 0
    },
    low: {
      min: 0,
      max: 1000000
    },
    high: {
      min: 1,
      max: 1000000
    },
    weight: {
      min: -1000000,
      max: 1000000
    }
  },
  region: {
    colours: {
      min: 0
    },
    optional: {
      min: 0,
      max: 1
    },
    period: {
      min: 0,
      max: 100000
    },
    max_empty: {
      min: 0
    }
  }
};
