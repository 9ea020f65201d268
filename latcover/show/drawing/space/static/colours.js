// How light colours are, by WCAG 2. All are written as #rrggbb.

/** The relative luminance of a colour, from 0 to 1. @param {string} colour */
export function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever contrasts more with a colour. @param {string} colour */
export const ink = (colour) => ((luminance(colour) + 0.05) ** 2 >= 1.05 * 0.05 ? "#000000" : "#ffffff");
