/** Checks the pictures a user wants to send, and says why some can't be. */
import { isPicture, largestPicture, pictureTypes } from "../../shared/pictures.js";
import type { Attachment } from "../../shared/model.js";
import { visibleLine } from "../text/visible.js";

/** In bytes; in base64 in a data: URL it is a third longer. */
const largest = Math.floor(largestPicture / 4) * 3 - 100;
/** The total for all pictures of a prompt, as data: URLs. */
const largestTogether = 3 * largestPicture;
const mostPictures = 20;

/**
 * Returns a picture that can be sent with the existing attachments; throws an
 * error with a message for the user.
 */
export async function pictureOf(file: File, there: readonly Attachment[]): Promise<Attachment> {
  const name = visibleLine(file.name || "The image");
  if (!file.type.startsWith("image/")) throw new Error(`${name} is not an image. Mention workspace files with @.`);
  if (!pictureTypes.includes(file.type)) throw new Error(`${name} has an unsupported format. Use PNG, JPEG, GIF or WebP.`);
  if (file.size > largest) throw new Error(`${name} is ${megabytes(file.size)}; the limit is ${megabytes(largest)}.`);
  const pictures = there.flatMap(({ kind, data }) => (kind === "image" ? [data ?? ""] : []));
  if (pictures.length >= mostPictures) throw new Error(`${name} was not attached: the limit is ${mostPictures} images per message.`);
  const data = await read(file);
  if (pictures.reduce((sum, one) => sum + one.length, data.length) > largestTogether) {
    throw new Error(`${name} was not attached: the limit for all images together is ${megabytes((largestTogether / 4) * 3)}.`);
  }
  // A file named like a picture may not be one, and the model's provider would
  // explain that less clearly.
  const shown = isPicture(data) && (await createImageBitmap(file).catch(() => undefined));
  if (!shown) throw new Error(`${name} is not a readable image.`);
  shown.close();
  return { kind: "image", label: file.name || "picture", uri: "", data };
}

function read(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(`${visibleLine(file.name)} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
