// Headless Chromium for all tests: each file connects to it, and each test has its own
// context.

import { chromium } from "playwright-core";

/**
 * Chromium only uses the last --disable-features list. So this repeats Playwright's,
 * and adds the features that draw the bar of an invisible window and keep a spare page:
 * together, more than half the cost of a new page.
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
