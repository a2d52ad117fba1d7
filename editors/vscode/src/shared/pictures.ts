/**
 * Pictures must be contained in the text that shows them. No SVG, because it is
 * a document.
 */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
/** The length of its data: URL. */
export const largestPicture = 10 << 20;

export function isPicture(href: string): boolean {
  return href.length <= largestPicture && picture.test(href);
}
