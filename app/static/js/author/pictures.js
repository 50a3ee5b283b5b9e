// A picture that is pasted or dropped into Markdown: made smaller where it is a photograph, sent, and written into the
// text where it fell. The words between its brackets are selected, to be typed over: what it shows, for who cannot see it.
import { toElement } from "../partial.js";

const WIDEST = 1600;
const MOST_BYTES = 900_000;
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];

export function addPictures(view, { address, isProse, insert, say, done }) {
  if (!isProse) return;
  const take = (event, files, at) => {
    const pictures = [...files].filter(({ type }) => type.startsWith("image/"));
    if (pictures.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    pictures.reduce((before, one) => before.then(() => add(one, at)), Promise.resolve());
  };
  view.dom.addEventListener("paste", (event) => take(event, event.clipboardData?.files ?? [], null), true);
  view.dom.addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); }, true);
  view.dom.addEventListener("drop", (event) => {
    take(event, event.dataTransfer?.files ?? [], view.posAtCoords({ x: event.clientX, y: event.clientY }));
  }, true);

  async function add(file, at) {
    say(`Adding ${file.name || "the picture"}…`);
    try {
      const small = await smaller(file);
      const name = encodeURIComponent(file.name || "picture.png");
      const answer = await fetch(`${address}/pictures?name=${name}`, { method: "POST", body: small, headers: { "Content-Type": small.type || "application/octet-stream", "Lectern-Partial": "1" } });
      if (!answer.ok) {
        const words = toElement(await answer.text())?.textContent.trim().replace(/\s+/g, " ");
        say(words || "This picture cannot be added. Use a PNG, JPEG, WebP or SVG of at most 900 KB.");
        return;
      }
      const told = await answer.json();
      const place = at ?? view.state.selection.main.head;
      insert(`![](${told.path})`, place);
      view.dispatch({ selection: { anchor: place + 2 } });
      view.focus();
      say(`Added ${told.path}. Write between the brackets what it shows.`);
      done(told);
    } catch {
      say("The server cannot be reached. The picture was not added.");
    }
  }
}

/** As WebP, no wider than a page shows it, where it is larger than a request may be. */
async function smaller(file) {
  if (!TYPES.includes(file.type) || file.type === "image/svg+xml") return file;
  if (file.size <= MOST_BYTES) return file;
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, WIDEST / bitmap.width);
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.9, 0.75, 0.5]) {
    const blob = await canvas.convertToBlob({ type: "image/webp", quality });
    if (blob.size <= MOST_BYTES) return blob;
  }
  return file;
}
