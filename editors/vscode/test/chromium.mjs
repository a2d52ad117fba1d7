// Headless Chromium for all tests: each file connects to it, and each test has a
// context of its own.

import { chromium } from "playwright-core";

/**
 * Chromium takes the last of these lists only, so this is Playwright's, and at its end
 * what draws the bar of a window that nobody sees, and a page kept for later: more than
 * half of what a new page costs.
 */
const disabled = [
  "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints",
  "PaintHolding", "PreconnectToSearch", "TcpPortRandomizationWin", "ThirdPartyStoragePartitioning",
  "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
];

/** Starts it; the environment tells the processes of the tests where it is. */
export async function serveBrowser() {
  const server = await chromium.launchServer({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", `--disable-features=${disabled.join(",")}`,
    ],
  });
  process.env.TURNWIRE_BROWSER = server.wsEndpoint();
  return server;
}
