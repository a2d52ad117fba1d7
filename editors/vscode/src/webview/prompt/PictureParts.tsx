/** The button that picks pictures, and the messages about rejected ones. */
import { useRef } from "preact/hooks";
import { pictureTypes } from "../../shared/pictures.js";
import { Icon, IconButton, Label } from "../frame/components.js";
import type { Pictures } from "./usePictures.js";

export function PictureButton({ pictures }: { pictures: Pictures }) {
  // Not part of the page; exists only while files are being picked.
  const field = useRef<HTMLInputElement>(null);
  const pick = () => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.accept = pictureTypes.join(",");
    input.onchange = () => pictures.take(input.files ?? []);
    field.current = input;
    input.click();
  };
  return <IconButton icon="picture" label="Add an image" onClick={pick} />;
}

export function Refused({ pictures }: { pictures: Pictures }) {
  const { refused, dismiss } = pictures;
  if (refused.length === 0) return null;
  return (
    <div class="refused" role="alert">
      <Icon name="warning" />
      <div class="refused-why">{refused.map((why, index) => <p key={index}><Label text={why} /></p>)}</div>
      <IconButton icon="close" label="Dismiss" onClick={dismiss} />
    </div>
  );
}
