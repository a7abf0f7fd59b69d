// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.NoAlertPresentException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless browser with a user who is logged in at the opened consoles. It reaches no other host. */
public final class Browser implements AutoCloseable {

    static final String MISSING = "no Chromium with its chromedriver was found on the PATH, so no page was tested;"
            + " install them with \"apt-get install chromium chromium-driver\", or name them with"
            + " -Ddiscovery.test.browser= and -Ddiscovery.test.chromedriver=";

    /** The programs must be installed: tests download nothing. */
    private static final Optional<Path> PROGRAM =
            find("discovery.test.browser", "chromium", "chromium-browser", "google-chrome");

    private static final Optional<Path> DRIVER = find("discovery.test.chromedriver", "chromedriver");

    private static final Path SCREENSHOTS = Path.of(System.getProperty("screenshots.directory"));

    /** Set in a page to distinguish it from another page at the same address. */
    private static final String MARK = "markOfTheTest";

    /** Held, so that its level is kept: it warns about parts that are not used here. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private final ChromeDriver driver;
    private final List<String> complaints = new ArrayList<>();

    Browser() {
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.orElseThrow().toFile())
                .build();
        SELENIUM.setLevel(Level.SEVERE);
        driver = new ChromeDriver(service, options());
        driver.manage().timeouts().pageLoadTimeout(Duration.ofMillis(Limit.millis()));
        desktop();
    }

    /** Returns whether the machine has a browser. */
    static boolean isInstalled() {
        return PROGRAM.isPresent() && DRIVER.isPresent();
    }

    /** Searches the path that a system property names, or the PATH. */
    private static Optional<Path> find(String property, String... names) {
        String named = System.getProperty(property, "");
        Stream<Path> places = named.isEmpty()
                ? Stream.of(names)
                        .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                                .map(folder -> Path.of(folder, name)))
                : Stream.of(Path.of(named));
        return places.filter(Files::isExecutable).findFirst();
    }

    private static ChromeOptions options() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(PROGRAM.orElseThrow().toFile());
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        options.addArguments(
                "--headless=new",
                // The tests may run as root, in a container with little shared memory.
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--hide-scrollbars",
                "--lang=en");
        return options;
    }

    /** Sets the usual size of a screen, and light colours. */
    void desktop() {
        size(1280, 900, false);
        dark(false);
    }

    /** Behaves like a phone, which lays out a page in a greater width than its own unless the page forbids it. */
    void phone() {
        size(390, 844, true);
    }

    private void size(int width, int height, boolean mobile) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", mobile));
    }

    /** Sets the time zone; the empty text stands for that of the machine. */
    void zone(String zone) {
        driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
    }

    String title() {
        return driver.getTitle();
    }

    /** Sets dark or light colours, and reduced motion, so that a screenshot shows no intermediate state. */
    void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** Logs in at the console of this address. */
    void login(URI address) {
        String user = ContainerProcess.CONSOLE_USER;
        driver.get(address.toString().replace("://", "://" + user + ":" + user + "@"));
    }

    /** Opens a page and marks it. Earlier complaints are forgotten. */
    void open(URI address) {
        forget();
        driver.get(address.toString());
        script("window." + MARK + " = true");
    }

    /** Says whether the page is still the opened one, and not another one at the same address. */
    boolean isSamePage() {
        return Boolean.TRUE.equals(script("return window." + MARK + " === true"));
    }

    URI address() {
        return URI.create(driver.getCurrentUrl());
    }

    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    Object scriptWithCallback(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Returns the visible text of the first element, empty while there is none. */
    String text(String selector) {
        try {
            return all(selector).stream().findFirst().map(WebElement::getText).orElse("");
        } catch (StaleElementReferenceException e) {
            // The page has just replaced it.
            return "";
        }
    }

    boolean has(String selector) {
        return !all(selector).isEmpty();
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    boolean alertIsOpen() {
        try {
            driver.switchTo().alert();
            return true;
        } catch (NoAlertPresentException e) {
            return false;
        }
    }

    /** Returns the complaints of the browser since the last page was opened: errors of scripts, refused and failed requests. */
    public List<String> complaints() {
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .forEach(complaints::add);
        return List.copyOf(complaints);
    }

    private void forget() {
        driver.manage().logs().get(LogType.BROWSER);
        complaints.clear();
    }

    /** Saves a screenshot of the whole page in the folder of the build. */
    public void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), picture());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] picture() {
        Number width = (Number) script("return innerWidth");
        Number height = (Number) script("return Math.max(innerHeight, document.documentElement.scrollHeight)");
        Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
        Map<String, Object> answer = driver.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true, "clip", clip));
        return Base64.getDecoder().decode((String) answer.get("data"));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
