"""What the server says with each answer, and whose requests it takes."""

from urllib.parse import urlsplit

from flask import Request, Response

#: Nothing from outside, nothing written into the page, and no page of others around it.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def add_headers(response: Response, *, keep: bool) -> Response:
    """Add the headers; only what `keep` allows may be kept by a browser, and it has to ask whether it is still good."""
    response.headers.update(HEADERS)
    response.headers["Cache-Control"] = "no-cache" if keep else "no-store"
    return response


def host_name(request: Request) -> str:
    """Name by which a request calls the server, without the port, in small letters."""
    return (urlsplit(f"//{request.host}").hostname or "").lower()


def is_same_origin(request: Request) -> bool:
    """Tell whether a request comes from a page of this server, or from no page at all.

    A browser says so by Sec-Fetch-Site (over https and on this machine) or by Origin; a program that sends neither is
    no page of somebody else's.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    try:
        return origin is None or (
            origin != "null" and urlsplit(origin).netloc.lower() == request.host.lower()
        )
    except ValueError:  # brackets that hold no address
        return False
