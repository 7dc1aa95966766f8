"""A small kitchen that paints Korean side dishes: height fields, light, crockery, ingredients, dishes."""
