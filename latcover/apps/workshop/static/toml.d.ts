// What toml.js hands on: see smol-toml.

export function parse(text: string, options?: { integersAsBigInt: true }): Record<string, any>;
export function stringify(data: Record<string, any>): string;
