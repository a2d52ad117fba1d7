/** Pictures from the clipboard. */
import type { Attachment } from "../../shared/model.js";
import { isPicture } from "../markdown/links.js";

/** Takes the pictures that are pasted; false if there are none. */
export function pictures(clipboard: DataTransfer | null, take: (picture: Attachment) => void): boolean {
  const files = [...(clipboard?.files ?? [])].filter((file) => file.type.startsWith("image/"));
  for (const file of files) {
    const reader = new FileReader();
    reader.onload = () => {
      const data = reader.result;
      if (typeof data === "string" && isPicture(data)) take({ kind: "image", label: file.name || "picture", uri: "", data });
    };
    reader.readAsDataURL(file);
  }
  return files.length > 0;
}
