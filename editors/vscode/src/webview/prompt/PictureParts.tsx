/** The button that picks pictures, and what is said of those that were not taken. */
import { useRef } from "preact/hooks";
import { pictureTypes } from "../../shared/pictures.js";
import { Icon, IconButton, Label } from "../frame/parts.js";
import type { Pictures } from "./usePictures.js";

export function PictureButton({ pictures }: { pictures: Pictures }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="picture" label="Add an image" onClick={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept={pictureTypes.join(",")}
        onChange={({ currentTarget }) => {
          pictures.take(currentTarget.files ?? []);
          currentTarget.value = ""; // the same file may be picked again
        }}
      />
    </>
  );
}

export function Refused({ pictures }: { pictures: Pictures }) {
  const { refused, dismiss } = pictures;
  return (
    <div role="alert">
      {refused.length > 0 && (
        <div class="refused">
          <Icon name="warning" />
          <div class="refused-why">{refused.map((why, index) => <p key={index}><Label text={why} /></p>)}</div>
          <IconButton icon="close" label="Close the message" onClick={dismiss} />
        </div>
      )}
    </div>
  );
}
