<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:key name="kind" match="leaf" use="@kind"/>
<xsl:template match="/">
<xsl:for-each select="//leaf"><xsl:sort select="@size" data-type="number"/>
<xsl:value-of select="concat(@kind, ' ', @size, ' ', count(key('kind', @kind)), ' ', sum(key('kind', @kind)/@size))"/>
<xsl:text>&#10;</xsl:text></xsl:for-each>
</xsl:template>
</xsl:stylesheet>
