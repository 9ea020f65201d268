"""Models as STL, 3MF, GLB and STEP files. trimesh writes STL and GLB."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from latcover.errors import UnsupportedError
from latcover.show.drawing.palette import hexadecimal, linear
from latcover.show.printing.models import Model, require_libraries
from latcover.show.printing.step import step

SUFFIXES = (".stl", ".3mf", ".glb", ".step")
MODEL_PART = "3D/3dmodel.model"
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MODEL_TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
TYPES = {"rels": "openxmlformats-package.relationships", "model": "ms-package.3dmanufacturing-3dmodel"}
METRE = 1000.0  # millimetres


def written(models: Sequence[Model], suffix: str, title: str) -> bytes:
    """*models* as a file of the format of *suffix*. Equal models give equal bytes.

    Raises:
        UnsupportedError: the suffix is not one of `SUFFIXES`.
        BackendUnavailableError: a library is not installed.
    """
    if suffix not in SUFFIXES:
        given = suffix or "a file without suffix"
        raise UnsupportedError(f"a model cannot be written as {given}; the forms are: {', '.join(SUFFIXES)}")
    require_libraries(f"{suffix[1:].upper()}")
    if suffix == ".3mf":
        return three_mf(models, title)
    if suffix == ".step":
        return step(models, title)
    return stl(models) if suffix == ".stl" else glb(models, title)


def stl(models: Sequence[Model]) -> bytes:
    """Binary STL: triangles in millimetres, z upwards, without names and colours."""
    from trimesh import Trimesh
    from trimesh.exchange.stl import export_stl

    starts = np.cumsum([0, *(len(model.vertices) for model in models)])
    triangles = [model.triangles + start for model, start in zip(models, starts, strict=False)]
    vertices = np.concatenate([model.vertices for model in models])
    data: bytes = export_stl(Trimesh(vertices, np.concatenate(triangles), process=False))
    return data


def glb(models: Sequence[Model], title: str) -> bytes:
    """Binary glTF: a node, mesh and material for each model, in metres, y upwards."""
    from trimesh import Scene, Trimesh
    from trimesh.visual import TextureVisuals
    from trimesh.visual.material import PBRMaterial

    scene = Scene(base_frame=title)
    for model in models:
        x, y, z = (model.vertices / METRE).T
        material = PBRMaterial(
            name=model.name,
            baseColorFactor=[round(255 * channel) for channel in linear(model.colour)] + [255],
            metallicFactor=0.0,
            roughnessFactor=0.7,
        )
        visual = TextureVisuals(material=material)
        mesh = Trimesh(np.column_stack([x, z, -y]), model.triangles, visual=visual, process=False)
        scene.add_geometry(mesh, geom_name=model.name, node_name=model.name)
    data: bytes = scene.export(file_type="glb")
    return data


def three_mf(models: Sequence[Model], title: str) -> bytes:
    """3MF (core specification 1.3): an object with name and colour for each model, in millimetres."""
    types = Element("Types", xmlns=f"{PACKAGE}/content-types")
    for extension, kind in TYPES.items():
        SubElement(types, "Default", Extension=extension, ContentType=f"application/vnd.{kind}+xml")
    links = Element("Relationships", xmlns=f"{PACKAGE}/relationships")
    SubElement(links, "Relationship", Target=f"/{MODEL_PART}", Id="model", Type=MODEL_TYPE)
    parts = {"[Content_Types].xml": types, "_rels/.rels": links, MODEL_PART: _model(models, title)}
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, root in parts.items():
            entry = ZipInfo(name)  # its default date, 1980, keeps the bytes independent of the time
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, tostring(root, encoding="utf-8", xml_declaration=True))
    return packed.getvalue()


def _model(models: Sequence[Model], title: str) -> Element:
    root = Element("model", {"unit": "millimeter", "xml:lang": "en-US", "xmlns": CORE})
    SubElement(root, "metadata", name="Title").text = title
    SubElement(root, "metadata", name="Application").text = "latcover"
    resources, build = SubElement(root, "resources"), SubElement(root, "build")
    colours = SubElement(resources, "basematerials", id="1")
    for number, model in enumerate(models):
        SubElement(colours, "base", name=model.name, displaycolor=hexadecimal(model.colour).upper())
        attributes = {"id": str(number + 2), "type": "model", "name": model.name, "pid": "1", "pindex": str(number)}
        mesh = SubElement(SubElement(resources, "object", attributes), "mesh")
        vertices, triangles = SubElement(mesh, "vertices"), SubElement(mesh, "triangles")
        for x, y, z in model.vertices.tolist():
            SubElement(vertices, "vertex", x=_number(x), y=_number(y), z=_number(z))
        for a, b, c in model.triangles.tolist():
            SubElement(triangles, "triangle", v1=str(a), v2=str(b), v3=str(c))
        SubElement(build, "item", objectid=str(number + 2))
    indent(root, space=" ")
    return root


def _number(length: float) -> str:
    return f"{length:.9g}"
