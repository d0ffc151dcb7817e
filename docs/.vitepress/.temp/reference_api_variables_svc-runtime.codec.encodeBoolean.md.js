import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: encodeBoolean","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.encodeBoolean.md","filePath":"reference/api/variables/svc-runtime.codec.encodeBoolean.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.encodeBoolean.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-encodeboolean" tabindex="-1">Variable: encodeBoolean <a class="header-anchor" href="#variable-encodeboolean" aria-label="Permalink to &quot;Variable: encodeBoolean&quot;">​</a></h1><blockquote><p><code>const</code> <strong>encodeBoolean</strong>: <a href="./../types/svc-runtime.codec.Encode"><code>Encode</code></a>&lt;<code>boolean</code>&gt;</p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.encodeBoolean.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_encodeBoolean = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_encodeBoolean as default
};
