/**
 * The view recognizes a light theme by a class, which an editor normally sets.
 */
const light = matchMedia("(prefers-color-scheme: light)");

function show(): void {
  document.body.classList.toggle("vscode-light", light.matches);
  document.body.classList.toggle("vscode-dark", !light.matches);
}

light.addEventListener("change", show);
show();
