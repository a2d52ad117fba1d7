// Headless Chromium for all tests: each file connects to it, and each test has its own
// context.

import { chromium } from "playwright-core";

/**
 * Chromium only uses the last of these lists. So this is Playwright's, with two
 * features added at the end: drawing the bar of an invisible window, and a page kept
 * for later. Together they make up more than half the cost of a new page.
 */
const disabled = [
  "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints",
  "PaintHolding", "PreconnectToSearch", "TcpPortRandomizationWin", "ThirdPartyStoragePartitioning",
  "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
];

/** Starts it; an environment variable tells the test processes its address. */
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
