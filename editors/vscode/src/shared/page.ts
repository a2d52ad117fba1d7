/**
 * The chat view's HTML page.
 *
 * Its policy is the last line of defence: it allows the extension's own script
 * and style sheet and data: images, and nothing else. Nothing is fetched from
 * anywhere, and no text can become a script, a style or a form.
 */

export interface Page {
  /** The source of the extension's files: `webview.cspSource`. */
  source: string;
  /** Random, different for each page. */
  nonce: string;
  script: string;
  style: string;
}

export function policy({ source, nonce }: Pick<Page, "source" | "nonce">): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify turnwire-diagrams",
  ].join("; ");
}

export function page({ source, nonce, script, style }: Page): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy({ source, nonce })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnwire</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
