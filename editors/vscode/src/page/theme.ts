/** The view knows a light theme by a class, as an editor gives it one. */
const light = matchMedia("(prefers-color-scheme: light)");

function show(): void {
  document.body.classList.toggle("vscode-light", light.matches);
  document.body.classList.toggle("vscode-dark", !light.matches);
}

light.addEventListener("change", show);
show();
