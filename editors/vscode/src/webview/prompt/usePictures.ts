/** Pictures that are pasted, dropped anywhere on the chat, or picked as files. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment } from "../../shared/model.js";
import { pictureOf } from "./pictures.js";

interface Props {
  /** Why the agent accepts no pictures, if it doesn't. */
  refusal: string | undefined;
  /** Returns the current attachments. */
  attached: () => readonly Attachment[];
  attach: (picture: Attachment) => void;
}

export interface Pictures {
  take: (files: Iterable<File>) => void;
  paste: (event: ClipboardEvent) => void;
  /** Whether files are being dragged over the chat. */
  dragged: boolean;
  /** Why some pictures were rejected. */
  refused: string[];
  dismiss: () => void;
}

export function usePictures(props: Props): Pictures {
  const [refused, setRefused] = useState<string[]>([]);
  const [dragged, setDragged] = useState(false);
  const now = useRef(props);
  useLayoutEffect(() => void (now.current = props));
  /** One after the other, so that they keep their order and their sizes add up. */
  const queue = useRef(Promise.resolve());

  const take = (files: Iterable<File>) => {
    const all = [...files];
    if (all.length === 0) return;
    const { refusal, attach } = now.current;
    if (refusal !== undefined) return setRefused([refusal]);
    setRefused([]);
    for (const file of all) {
      queue.current = queue.current.then(() => pictureOf(file, now.current.attached()).then(attach)).catch((error: unknown) => {
        setRefused((before) => [...before, error instanceof Error ? error.message : String(error)]);
      });
    }
  };

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault(); // otherwise the browser would leave the chat and show the file
      event.dataTransfer.dropEffect = "copy";
      setDragged(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragged(false);
    const drop = (event: DragEvent) => {
      setDragged(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);

  const paste = (event: ClipboardEvent) => {
    const { clipboardData } = event;
    const files = [...(clipboardData?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    // Copied table cells come as text and as a picture; the text is meant.
    if (files.length === 0 || clipboardData?.getData("text/plain")) return;
    event.preventDefault();
    take(files);
  };

  return { take, paste, dragged, refused, dismiss: () => setRefused([]) };
}
