// The types of gifenc, of which the bundle has these names.

/** Rows of red, green and blue. */
type Palette = number[][];

export function GIFEncoder(): {
  writeFrame(
    index: Uint8Array,
    width: number,
    height: number,
    how: { palette?: Palette; delay: number; transparent?: boolean; transparentIndex?: number; dispose?: number },
  ): void;
  finish(): void;
  bytes(): Uint8Array<ArrayBuffer>;
};
export function quantize(pixels: Uint8ClampedArray, most: number): Palette;
export function applyPalette(pixels: Uint8ClampedArray, palette: Palette): Uint8Array;
